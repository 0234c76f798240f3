# %% [markdown]
# # An agent against Isolde
#
# An agent of twenty lines, its games against two of Isolde's agents, and the moves that lost them.

# %%
import isolde

# %% [markdown]
# The agent has the form of the 7x7 course framework. It takes the move after which it has the most
# moves left, compared with the opponent.


# %%
class Improved:
    def get_move(self, game, time_left):
        return max(game.get_legal_moves(), key=lambda move: self.score(game.forecast_move(move)))

    def score(self, game):
        if game.is_winner(self):
            return float("inf")
        other = game.get_opponent(self)
        return len(game.get_legal_moves(self)) - len(game.get_legal_moves(other))


# %% [markdown]
# Every opening is played twice, with the sides exchanged. So ten games are five openings for each
# opponent.

# %%
report = isolde.arena(Improved, games=10, against=["Random", "AB_Improved"], board="6x6", time=0.05)
print(report)

# %% [markdown]
# ## Where the win was given away
#
# The games are solved afterwards. A mistake draws the position before the move.

# %%
for mistake in report.mistakes[:3]:
    better = isolde.analyse(mistake.position).move
    print(f"{mistake}; {better} still wins")

# %%
report.mistakes[0] if report.mistakes else "no mistakes"
