"""The whole house under faults: ``make soak SEED=…``."""
