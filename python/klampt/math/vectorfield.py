"""Systems of equations f(x) = 0 for root finding."""


class VectorFieldFunction:
    """A function of n numbers with m numbers; subclasses give eval() and jacobian()."""

    def __init__(self):
        self.n = 0
        self.m = 0

    def eval(self, x):
        """The m values at x."""

    def eval_i(self, x, i):
        """Value i at x."""

    def jacobian(self, x):
        """The m x n matrix of derivatives at x."""

    def jacobian_ij(self, x, i, j):
        """Derivative of value i by x[j]."""

    def num_vars(self):
        """n."""
        return self.n

    def num_fns(self):
        """m."""
        return self.m

    def jacobian_numeric(self, x, delta):
        """Centered differences with step delta, one row a variable."""
        rows = []
        moved = x[:]
        for i, xi in enumerate(x):
            moved[i] = xi - delta
            before = self.eval(moved)
            moved[i] = xi + delta
            after = self.eval(moved)
            moved[i] = xi
            rows.append([(b - a) / (2.0 * delta) for a, b in zip(before, after)])
        return rows


class CompositeVectorFieldFunction(VectorFieldFunction):
    """Several functions of the same variables, stacked."""

    def __init__(self, fns):
        if not fns:
            raise RuntimeError("a composite wants at least one function")
        self.fns = fns
        self.n = fns[0].num_vars()
        if any(f.num_vars() != self.n for f in fns):
            raise RuntimeError("the functions of a composite must take the same variables")
        self.m = sum(f.num_fns() for f in fns)

    def _owner(self, i):
        rest = i
        for f in self.fns:
            if rest < f.num_fns():
                return f, rest
            rest -= f.num_fns()
        raise RuntimeError(f"function {i} is asked for, there are {self.num_fns()}")

    def eval(self, x):
        return [value for f in self.fns for value in f.eval(x)]

    def eval_i(self, x, i):
        f, k = self._owner(i)
        return f.eval_i(x, k)

    def jacobian(self, x):
        return [row for f in self.fns for row in f.jacobian(x)]

    def jacobian_ij(self, x, i, j):
        f, k = self._owner(i)
        return f.jacobian_ij(x, k, j)
