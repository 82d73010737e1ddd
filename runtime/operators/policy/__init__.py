"""A memory policy that searches, keeps and stops on behalf of each question."""
