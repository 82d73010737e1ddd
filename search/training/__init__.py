"""Learning memory policies: rollouts, rewards, the reward model, PA-DAPO."""
