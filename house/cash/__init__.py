"""Cash that leaves the house, for every room that pays: who receives it, what is reported, which cheque was written."""
