"""Least squares and linear models that are kept up to date with every new measurement."""

import math

import numpy as np


class OnlineLeastSquares:
    """The x that minimizes sum_i w_i (a_i . x - b_i)^2 + regularizationLambda |x|^2 over the points (a_i, b_i, w_i) added so
    far; n is the length of x. As long as several x do, `degenerate` is set and x is the shortest of them."""

    def __init__(self, n, regularizationLambda=0):
        self.n = n
        self.count = 0
        self.sumWeight = 0.0
        self.regularizationLambda = regularizationLambda
        self.AtA = np.eye(n) * regularizationLambda
        self.Atb = np.zeros(n)
        self.btb = 0.0
        self._solve()

    def _solve(self):
        self.degenerate = bool(np.linalg.matrix_rank(self.AtA, hermitian=True) < self.n)
        self.AtAinv = np.linalg.pinv(self.AtA, hermitian=True) if self.degenerate else np.linalg.inv(self.AtA)
        self.x = self.AtAinv @ self.Atb

    def setPrior(self, xPrior, priorWeight):
        """Sets what x is believed to be, before points are added."""
        if self.regularizationLambda != 0:
            raise RuntimeError("setPrior() and a regularizationLambda exclude each other")
        x = np.asarray(xPrior, dtype=float)
        self.count, self.sumWeight = 1, priorWeight
        self.AtA, self.Atb, self.btb = np.eye(self.n) * priorWeight, x * priorWeight, float(x @ x) * priorWeight
        self._solve()

    def add(self, a, b, weight=1.0):
        """Adds a point: a . x is to be b."""
        a = np.asarray(a, dtype=float)
        if a.shape != (self.n,):
            raise ValueError(f"a has the shape {a.shape}, ({self.n},) is wanted")
        if not weight >= 0:
            raise ValueError(f"the weight {weight} is not allowed; it is 0 or more")
        self.count += 1
        self.sumWeight += weight
        self.AtA += weight * np.outer(a, a)
        self.Atb += weight * b * a
        self.btb += weight * b * b
        self._solve()

    def discount(self, discountFactor, type="geometric"):
        """Multiplies the weights so far by a factor; 'hyperbolic': such that the next point of weight 1 has that share."""
        if type == "hyperbolic":
            discountFactor = (1.0 / discountFactor - 1.0) / self.sumWeight
        if not discountFactor > 0:
            raise ValueError(f"the factor {discountFactor} is not allowed; it is more than 0")
        ridge = np.eye(self.n) * self.regularizationLambda
        self.AtA = (self.AtA - ridge) * discountFactor + ridge
        self.Atb *= discountFactor
        self.btb *= discountFactor
        self.sumWeight *= discountFactor
        self._solve()

    def setLambda(self, regularizationLambda):
        """Another weight of |x|^2."""
        self.AtA += (regularizationLambda - self.regularizationLambda) * np.eye(self.n)
        self.regularizationLambda = regularizationLambda
        self._solve()

    def solution(self):
        """x, shape (n,)."""
        return self.x

    def residualNorm2(self):
        """The weighted sum of squares that is left."""
        ridge = self.regularizationLambda * float(self.x @ self.x)
        return max(0.0, float(self.x @ (self.AtA @ self.x - 2.0 * self.Atb)) + self.btb - ridge)

    def residualNorm(self):
        """The root of residualNorm2()."""
        return math.sqrt(self.residualNorm2())

    def standardError2(self):
        """Variance of the points about the model; infinite for no more points than entries of x."""
        if self.count <= self.n:
            return float("inf")
        return self.residualNorm2() / self.sumWeight * (self.count / (self.count - self.n))

    def standardError(self):
        """The root of standardError2()."""
        return math.sqrt(self.standardError2())

    def solutionCovariance(self):
        """Covariance of x, shape (n, n)."""
        return self.standardError2() * self.AtAinv

    def solutionStandardErrors(self):
        """Standard error of every entry of x."""
        variance = self.standardError2()
        return [math.sqrt(variance * d) if d >= 0 else float("nan") for d in np.diag(self.AtAinv)]

    def predictionAndVariance(self, a):
        """(mean, variance) of what is expected at a."""
        a = np.asarray(a, dtype=float)
        return float(a @ self.x), self.standardError2() * (1.0 + float(a @ self.AtAinv @ a))


class LinearSystemID:
    """Learns A, B and C of y = A x + B u + C from points (x, u, y) with m state variables and n controls.

    Entries that are known are fixed (setPattern(), fixA(), fixB(), fixC()) before points are added; None is a free entry.
    """

    def __init__(self, m, n):
        self.m, self.n = m, n
        self.coeffPattern = [None, None, None]
        self._known = np.full((m, m + n + 1), np.nan)
        self.estimators = [OnlineLeastSquares(m + n + 1) for _ in range(m)]

    def _renew(self, row):
        free = int(np.isnan(self._known[row]).sum())
        self.estimators[row] = OnlineLeastSquares(free) if free else None

    def _fix(self, row, column, value):
        self._known[row, column] = np.nan if value is None else value
        self._renew(row)

    def setPattern(self, Apattern, Bpattern, Cpattern):
        """Fixes entries by lists: (m, m), (m, n) and m of them, None where free; None for no list."""
        self.coeffPattern = [Apattern, Bpattern, Cpattern]
        for i in range(self.m):
            row = list(Apattern[i] if Apattern is not None else [None] * self.m)
            row += list(Bpattern[i] if Bpattern is not None else [None] * self.n)
            row.append(Cpattern[i] if Cpattern is not None else None)
            self._known[i] = [np.nan if v is None else v for v in row]
            self._renew(i)

    def fixA(self, i, j, value):
        """Fixes an entry of A."""
        self._fix(i, j, value)

    def fixB(self, i, j, value):
        """Fixes an entry of B."""
        self._fix(i, self.m + j, value)

    def fixC(self, i, value):
        """Fixes an entry of C."""
        self._fix(i, self.m + self.n, value)

    def _inputs(self, x, u):
        x, u = np.asarray(x, dtype=float), np.asarray(u, dtype=float)
        if x.shape != (self.m,) or u.shape != (self.n,):
            raise ValueError(f"x and u have the shapes {x.shape} and {u.shape}, ({self.m},) and ({self.n},) are wanted")
        return np.concatenate((x, u, [1.0]))

    def add(self, x, u, y, weight=1.0):
        """Adds a point: y came of x and u."""
        inputs = self._inputs(x, u)
        if len(y) != self.m:
            raise ValueError(f"y has {len(y)} entries, {self.m} are wanted")
        for known, target, estimator in zip(self._known, y, self.estimators):
            if estimator is not None:
                free = np.isnan(known)
                estimator.add(inputs[free], target - float(inputs[~free] @ known[~free]), weight)

    def discount(self, discountFactor, type="geometric"):
        """Makes the points so far count less."""
        for estimator in self.estimators:
            if estimator is not None:
                estimator.discount(discountFactor, type)

    def setModelPrior(self, A, B, C, priorWeight):
        """Sets what the model is believed to be; after entries are fixed, before points are added."""
        rows = np.hstack((np.asarray(A, float), np.asarray(B, float), np.asarray(C, float).reshape(-1, 1)))
        for row, known, estimator in zip(rows, self._known, self.estimators):
            if estimator is not None:
                estimator.setPrior(row[np.isnan(known)], priorWeight)

    def getModel(self):
        """(A, B, C): arrays of shapes (m, m), (m, n) and (m,)."""
        rows = self._known.copy()
        for row, estimator in zip(rows, self.estimators):
            if estimator is not None:
                row[np.isnan(row)] = estimator.x
        return rows[:, :self.m], rows[:, self.m:self.m + self.n], rows[:, -1]

    def getOutput(self, x, u):
        """A x + B u + C as a list."""
        A, B, C = self.getModel()
        inputs = self._inputs(x, u)
        return (np.hstack((A, B, C.reshape(-1, 1))) @ inputs).tolist()
