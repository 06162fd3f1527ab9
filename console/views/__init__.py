"""One file for each part of the console. A view reads its form, calls one verb and shows what came of it."""
