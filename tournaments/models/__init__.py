from tournaments.models.tournaments import Tournament, TournamentEntry, TournamentRebuy, TournamentRound

__all__ = ["Tournament", "TournamentEntry", "TournamentRebuy", "TournamentRound"]
