"""Section 7 and appendix D: data, metrics, mechanisms and printed tables. Read `tables` first.

`tables.json` has the tables as they are printed, cell by cell; `cells` reads what a cell can stand
for, the numbers that are rounded to its digits.
"""

NOTATION = {
    "Ours-Exp": "K exponential draws without replacement, by the translation of section 6.2",
    "MQM": "noisy counts of all categories by the Markov quilt mechanism, sorted",
    "Group DP-Exp, Group DP-Lap": "the same with all records of a person fully correlated",
    "Acc@k": "how often the category that is predicted for rank k is the k-th most frequent",
    "k": "a rank, 1 for the first",
    "HR, HR@K": "the share of the K most frequent categories that are among the K predicted",
    "NDCG": "sum_k rel(k)/log2(k + 1) over the predicted ranks k, rel the true count, divided by "
    "the same sum of the true ranking",
    "l1": "sum_k |count of the category predicted for rank k - count of the k-th most frequent|",
    "K": "how many categories are ranked: 3 or 5",
    "m": "how many categories there are: 78 places, 11 activities",
    "eps, eps_DP": "the level of Pufferfish privacy, and the level per record",
}
