"""Steps that claims on the searches share: from scores to privacy, and the walk of the faster
search.

A node without a left or a right quilt node has an imaginary one, a = i or b = n + 1 - i. Source:
wang2016, appendix B.
"""

from pufferproof.claims.language import letter

n = letter("n", "the number of nodes (records) X_1, .., X_n of a Markov chain")
a = letter(
    "a", "the distance of the left quilt node from X_i, where a = i stands for a quilt without one, the imaginary X_0"
)
b = letter(
    "b",
    "the distance of the right quilt node from X_i, where b = n+1-i stands for a quilt "
    "without one, the imaginary X_(n+1)",
)
sigma_max = letter("sigma_max", "the largest of the scores that a search meets, the scale of the noise")
LEAST = "FindBestMarkovQuilt returns the least score over S_{Q,i}, as it is described: Algorithm 2 as printed does not"
SEARCH_NOTATION = {
    "n": n.meaning,
    "a": a.meaning,
    "b": b.meaning,
    "S_{Q,i}": "the set of quilts of X_i that is searched: the distances of quilt nodes are above "
    "the threshold log(1/pi)/g; the empty quilt is always in it",
    "e": "e(a,b) is the bound of Lemma 4.7: h(b)+2h(a), 2h(a) without a right node, h(b) without a left one, 0 for {}",
    "score": "(a+b-1)/(eps-e(a,b)), infinite unless e(a,b) < eps",
    "g": "the eigengap of the class, 1 - |lam| for the eigenvalue other than 1 that is largest in absolute value",
    "sigma": "sigma_i is the score that is returned for X_i",
    "sigma_max": sigma_max.meaning,
    "F": "a query, F(D) its value on the database D; it is 1-Lipschitz if it changes by at most 1 when one record does",
    "Basic": "Algorithm 1, which asks for the best quilt of every node",
    "Fast": "Algorithm 3, which asks for those of the nodes on its walk from floor(n/2)",
}
