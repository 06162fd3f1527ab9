from tournaments.models.tournaments import Tournament, TournamentEntry

__all__ = ["Tournament", "TournamentEntry"]
