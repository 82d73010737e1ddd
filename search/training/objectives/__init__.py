"""What training climbs or descends, as formulas over numbers: PA-DAPO, DPO, SFT."""
