"""Queries of geometries."""

from .queries import ContactQueryResult, DistanceQuerySettings, distance_result


class GeometryQueries:
    """Queries of a `Geometry3D`, and what is cut out of it or added to it."""

    def contains_point(self, pt):
        """Returns whether a point of the world is in the geometry."""
        return self._shape.contains(pt)

    def collides(self, other):
        """Returns whether two geometries have a point in common."""
        return self._shape.collides(other._shape)

    def collides_ext(self, other, maxContacts):
        """The elements of both that have: two lists, of at most `maxContacts` pairs."""
        return self._shape.collidingElements(other._shape, int(maxContacts))

    def withinDistance(self, other, tol):
        """Returns whether two geometries are no farther apart than `tol`."""
        return self._shape.near(other._shape, float(tol))

    def withinDistance_ext(self, other, tol, maxContacts):
        """The elements of both that are: two lists, of at most `maxContacts` pairs."""
        return self._shape.nearElements(other._shape, float(tol), int(maxContacts))

    def distance_simple(self, other, relErr=0, absErr=0):
        """Returns how far apart two geometries are; below 0 where solids overlap."""
        return self._shape.distance(other._shape, float(relErr), float(absErr), float("inf"))[0]

    def distance_point(self, pt):
        """Returns how far a point of the world is away: a DistanceQueryResult."""
        return distance_result(self._shape.pointDistance(pt, float("inf")))

    def distance_point_ext(self, pt, settings):
        """The same with settings."""
        return distance_result(self._shape.pointDistance(pt, float(settings.upperBound)))

    def distance(self, other):
        """Returns how far apart two geometries are: a DistanceQueryResult."""
        return self.distance_ext(other, DistanceQuerySettings())

    def distance_ext(self, other, settings):
        """The same with settings."""
        return distance_result(self._shape.distance(other._shape, float(settings.relErr), float(settings.absErr),
                                                    float(settings.upperBound)))

    def rayCast(self, s, d):
        """(hit, point): where the ray from `s` along `d` meets the geometry first."""
        element, point = self._shape.ray(s, d)
        return element >= 0, point

    def rayCast_ext(self, s, d):
        """(element, point): the element that the ray meets first, -1 for none, and where."""
        return self._shape.ray(s, d)

    def contacts(self, other, padding1, padding2, maxContacts=0):
        """Contacts with another geometry where both have layers of these thicknesses: a ContactQueryResult. More than
        `maxContacts` (0: any number) are thinned out."""
        result = ContactQueryResult()
        (result.depths, result.points1, result.points2, result.normals, result.elems1,
         result.elems2) = self._shape.contacts(other._shape, float(padding1), float(padding2), int(maxContacts))
        return result

    def support(self, dir):
        """The point that lies farthest in a direction, in the world."""
        return self._shape.support(dir)

    def slice(self, R, t, tol):
        """Returns what the plane z = 0 of the frame (R, t) cuts out, in that frame: segments of a mesh, the points of a cloud
        within `tol`."""
        self._sync()
        return self._of(self._shape.slice(R, t, float(tol)))

    def roi(self, query, bmin, bmax):
        """Returns what of a mesh or cloud is of interest: 'intersect' (cut), 'touching' or 'within' a box of the world; with '~'
        in front, the rest."""
        self._sync()
        return self._of(self._shape.roi(query, bmin, bmax))

    def merge(self, other):
        """Adds another geometry, where it is, to this one, whose type stays."""
        self._sync()
        other._sync()
        self._shape.merge(other._shape)
