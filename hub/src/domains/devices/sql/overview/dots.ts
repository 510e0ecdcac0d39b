import type { Output } from '@corral/contract';

type Overview = Output<'projects_GetOverview'>;

/** The states of devices as statements tell them: silent ones are disconnected, or waiting, and were last connected longer than an hour ago. */
export const dotStates = { disconnected: 0, connected: 1, waiting: 2, silent: 3, silentWaiting: 4 } as const;
/** How many states there are. */
export const stateCount = 5;
/** A device is the character of this code, plus the number of its group times the number of states, plus its state. */
export const firstCode = 35;

/** What is shown of each state. */
const shownStates = [0, 1, 2, 0, 2];
const dotsInByte = 4;
const bitsOfDot = 2;

type Shown = Pick<Overview['groups'][number], 'value' | 'isOthers'>;

/** Sums devices by their codes, and packs the states of the devices that are named, one a character, group by group, into base64 of two bits each; the first ones are in the lowest bits. */
export function packDots(
  ofCode: Readonly<Record<string, number>>,
  codes: string,
  shownOf: (number: number) => Shown,
): Pick<Overview, 'counts' | 'silent' | 'groups' | 'dots'> {
  const numbers = [...new Set(Object.keys(ofCode).map((code) => Math.floor(Number(code) / stateCount)))];
  const countOf = (number: number) => (state: number) => ofCode[number * stateCount + state] ?? 0;
  const groups = numbers.map((number) => ({ ...shownOf(number), ...countsOf(countOf(number)) }));
  const totalOf = (state: number) => numbers.reduce((sum, number) => sum + countOf(number)(state), 0);
  const places: number[] = [];
  let first = 0;
  for (const [index, number] of numbers.entries()) {
    places[number] = first;
    first += groups[index]?.devices ?? 0;
  }
  return {
    groups,
    counts: countsOf(totalOf),
    silent: totalOf(dotStates.silent) + totalOf(dotStates.silentWaiting),
    dots: pack(codes, places),
  };
}

/** The places at which the groups begin are counted up. */
function pack(codes: string, places: number[]): string {
  const packed = Buffer.alloc(Math.ceil(codes.length / dotsInByte));
  for (let index = 0; index < codes.length; index += 1) {
    const code = codes.charCodeAt(index) - firstCode;
    const number = Math.floor(code / stateCount);
    const place = places[number] ?? 0;
    places[number] = place + 1;
    const byte = Math.floor(place / dotsInByte);
    const state = shownStates[code % stateCount] ?? 0;
    packed[byte] = (packed[byte] ?? 0) | (state << ((place % dotsInByte) * bitsOfDot));
  }
  return packed.toString('base64');
}

function countsOf(of: (state: number) => number): Overview['counts'] {
  const connected = of(dotStates.connected);
  const waiting = of(dotStates.waiting) + of(dotStates.silentWaiting);
  const disconnected = of(dotStates.disconnected) + of(dotStates.silent);
  return { devices: connected + waiting + disconnected, connected, disconnected, waiting };
}
