// What a plot shows.
import type {Curve} from '../../data/curves';

/** Curves over time or against another one, or how far the logs are apart. */
export interface PlotSpec { curves: Curve[]; against?: Curve; difference: boolean }
