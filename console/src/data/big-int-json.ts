/** A module of its own, so that its code is loaded when an answer needs it. */
export { parseJsonWithBigInts } from '@corral/contract';
