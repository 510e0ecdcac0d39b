/** One step of a scenario: its operation and its bytes. */
export interface Step {
  /** 0 to 15. */
  readonly operation: number;
  readonly bytes: Uint8Array;
}

/** Encodes steps as operation and length in two bytes, then the bytes, truncated to 4 095. */
export function packed(steps: readonly Step[]): Uint8Array {
  const parts = steps.flatMap(({ operation, bytes }) => {
    const kept = bytes.subarray(0, 4_095);
    return [Uint8Array.of((operation << 4) | (kept.length >> 8), kept.length & 0xff), kept];
  });
  return new Uint8Array(Buffer.concat(parts));
}

/** Decodes steps from any bytes; a step longer than the rest takes the rest. */
export function stepsOf(input: Uint8Array): Step[] {
  const steps: Step[] = [];
  for (let at = 0; at + 2 <= input.length;) {
    const head = ((input[at] ?? 0) << 8) | (input[at + 1] ?? 0);
    const end = at + 2 + (head & 0xfff);
    steps.push({ operation: head >> 12, bytes: input.slice(at + 2, end) });
    at = end;
  }
  return steps;
}
