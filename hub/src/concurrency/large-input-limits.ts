import { defaultMaxInputBytes } from '@corral/contract';

/** Inputs up to this size are read as they arrive, over HTTP and over channels; most actions accept no larger one. */
export const smallInputBytes = defaultMaxInputBytes;
/** How many larger inputs are in memory at a time, over HTTP and over channels each. */
export const maxLargeInputs = 32;
/** How many of these one caller may have. */
export const maxLargeInputsPerCaller = 2;
