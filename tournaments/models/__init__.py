from tournaments.models.tournaments import Tournament, TournamentEntry, TournamentRebuy

__all__ = ["Tournament", "TournamentEntry", "TournamentRebuy"]
