# %% [markdown]
# # A position, solved
#
# A notebook as a plain script: Jupyter (with Jupytext), VS Code and Spyder run the cells one by one.

# %%
import isolde

# %% [markdown]
# The second player wins 7x7 by replying on the other colour, with eight exceptions: the cells a
# knight's move away from d4. There the first player moves to the opposite cell and mirrors every
# move from then on. The analysis draws itself: orange moves win for the first player.

# %%
analysis = isolde.analyse("7x7: d4 b3")
analysis

# %%
assert analysis.winner == "first"
assert [move.move for move in analysis.moves if move.winner == "first"] == ["f5"]
print(analysis, "by", analysis.move, "-", next(move.origin for move in analysis.moves))

# %% [markdown]
# ## The mirror, move by move
#
# After f5 the knights stand opposite each other, with d4 in the middle gone.

# %%
position = isolde.Position.parse("7x7: d4 b3").play("f5")
position

# %%
for reply in position.legal_moves:
    file, rank = reply[0], int(reply[1])
    mirrored = f"{chr(ord('a') + ord('g') - ord(file))}{8 - rank}"
    after = position.play(reply).play(mirrored)
    print(f"{reply} {mirrored}: {isolde.analyse(after, winner_only=True).winner} wins")

# %% [markdown]
# ## All openings of 5x5
#
# One small board for each first placement. Dark is the placement itself, blue replies win.

# %%
solution = isolde.solve("5x5", distance=True)
solution

# %%
longest = max(solution.openings, key=lambda opening: opening.plies or 0)
print(f"the longest opening is {longest.first} {longest.second}: {longest.plies} plies")
