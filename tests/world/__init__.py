"""A house in any state, for tests: what more than one room's tests need stands here, once."""
