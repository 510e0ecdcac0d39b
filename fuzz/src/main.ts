// `npm run fuzz -- [--runs 10000000] [--seed 7] [--target frame,connection,rpc,live] [--keep]`: malformed inputs against the protocol.
import { parseArgs } from 'node:util';
import { keepInput, readCorpus } from './corpus.ts';
import { fuzz, type FuzzResult } from './fuzz.ts';
import type { Target } from './target.ts';
import { connectionTarget } from './targets/connection.ts';
import { frameTarget } from './targets/frame.ts';
import { rpcTarget } from './targets/rpc.ts';

/** Which share of the runs each target gets; a frame is cheap, a stream of calls is not. */
const targets: readonly { readonly target: Target; readonly share: number }[] = [
  { target: frameTarget, share: 0.6 },
  { target: connectionTarget, share: 0.34 },
  { target: rpcTarget, share: 0.06 },
];

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '1000000' },
    seed: { type: 'string', default: String(Math.floor(Math.random() * 2 ** 32)) },
    target: { type: 'string' },
    keep: { type: 'boolean', default: false },
  },
});
const [runs, seed] = [Number(values.runs), Number(values.seed)];
const chosen = values.target?.split(',');
const say = (line: string): boolean => process.stdout.write(`${line}\n`);

/** Keeps the first input of each outcome that the corpus does not know yet. */
async function tryOut(target: Target, itsRuns: number): Promise<FuzzResult> {
  const known = new Set<string>();
  if (values.keep) for (const { bytes } of readCorpus(target.name)) known.add(await target.run(bytes));
  const onOutcome = (outcome: string, input: Uint8Array): void => {
    if (values.keep && !known.has(outcome) && input.length <= 4_096)
      say(`kept   ${keepInput(target.name, outcome, input)}`);
  };
  return fuzz({ target, seed, runs: itsRuns, onOutcome });
}

say(`seed ${seed}`);
for (const { target, share } of targets) {
  if (chosen !== undefined && !chosen.includes(target.name)) continue;
  const startedAt = performance.now();
  const result = await tryOut(target, Math.ceil(runs * (chosen === undefined ? share : 1)));
  const seconds = (performance.now() - startedAt) / 1_000;
  const rate = Math.round(result.runs / seconds);
  say(
    `${target.name}: ${result.runs} inputs in ${seconds.toFixed(1)} s, ${rate} a second, ${result.outcomes.size} outcomes`,
  );
  if (result.failure === undefined) continue;
  process.exitCode = 1;
  say(`FAILED ${target.name}: ${result.failure.message}`);
  say(
    `       the input is in ${keepInput(target.name, `failure ${result.failure.message}`, result.failure.input)}`,
  );
}
