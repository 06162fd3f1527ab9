"""Keno's pages: each view reads a form, calls one verb of keno/ and shows what came of it."""
