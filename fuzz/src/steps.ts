/** One thing that happens: what it is, and the bytes that go with it. */
export interface Step {
  /** 0 to 15. */
  readonly deed: number;
  readonly bytes: Uint8Array;
}

/** Writes steps as deed and length in two bytes, then the bytes; what is longer than 4 095 bytes is cut. */
export function packed(steps: readonly Step[]): Uint8Array {
  const parts = steps.flatMap(({ deed, bytes }) => {
    const kept = bytes.subarray(0, 4_095);
    return [Uint8Array.of((deed << 4) | (kept.length >> 8), kept.length & 0xff), kept];
  });
  return new Uint8Array(Buffer.concat(parts));
}

/** Reads steps of any bytes whatever; one that is announced longer than the rest takes the rest. */
export function stepsOf(input: Uint8Array): Step[] {
  const steps: Step[] = [];
  for (let at = 0; at + 2 <= input.length;) {
    const head = ((input[at] ?? 0) << 8) | (input[at + 1] ?? 0);
    const end = at + 2 + (head & 0xfff);
    steps.push({ deed: head >> 12, bytes: input.slice(at + 2, end) });
    at = end;
  }
  return steps;
}
