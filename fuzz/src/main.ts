// `npm run fuzz -- [--runs 10000000] [--seed 7] [--target frame,connection,web-socket,rpc,resumable-stream,manifest,expression,live] [--keep]`: malformed inputs against the protocol.
import { parseArgs } from 'node:util';
import { keepInput, readCorpus } from './corpus.ts';
import { fuzz, type FuzzResult } from './fuzz.ts';
import { startFuzzedHub } from './hub-process.ts';
import { fuzzLive } from './live.ts';
import type { Target } from './target.ts';
import { targets } from './targets.ts';

/** The share of all runs that goes to the sockets of a running hub. */
const liveShare = 0.02;

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
const print = (line: string): boolean => process.stdout.write(`${line}\n`);

/** With --keep, stores the first input of each outcome that is not in the corpus. */
async function fuzzTarget(target: Target, itsRuns: number): Promise<FuzzResult> {
  const known = new Set<string>();
  if (values.keep) for (const { bytes } of readCorpus(target.name)) known.add(await target.run(bytes));
  const onOutcome = (outcome: string, input: Uint8Array): void => {
    if (values.keep && !known.has(outcome) && input.length <= 4_096)
      print(`kept   ${keepInput(target.name, outcome, input)}`);
  };
  return fuzz({ target, seed, runs: itsRuns, onOutcome });
}

const rateOf = (count: number, startedAt: number): string => {
  const seconds = (performance.now() - startedAt) / 1_000;
  return `in ${seconds.toFixed(1)} s, ${Math.round(count / seconds)} a second`;
};

async function tryPure(target: Target, itsRuns: number): Promise<void> {
  const startedAt = performance.now();
  const { runs: done, outcomes, failure } = await fuzzTarget(target, itsRuns);
  print(`${target.name}: ${done} inputs ${rateOf(done, startedAt)}, ${outcomes.size} outcomes`);
  if (failure === undefined) return;
  process.exitCode = 1;
  print(`FAILED ${target.name}: ${failure.message}`);
  print(`       the input is in ${keepInput(target.name, `failure ${failure.message}`, failure.input)}`);
}

/** A caller that always violates the protocol may open this many connections at once; a connection lasts about twenty messages. */
const connectionsOfCaller = 18;
const messagesOfConnection = 20;

/** Fuzzes the sockets of a running hub, which must neither hang, exit nor log an error. */
async function tryLive(messages: number): Promise<void> {
  const hub = await startFuzzedHub();
  const callers = 2 + Math.ceil(messages / messagesOfConnection / connectionsOfCaller);
  try {
    const headers = await hub.callers(callers);
    const startedAt = performance.now();
    const { connections, kept } = await fuzzLive({ url: hub.url, headers, seed, messages });
    print(
      `live: ${messages} messages ${rateOf(messages, startedAt)}, ${connections} connections, ${kept} of them kept`,
    );
    if (hub.errors.length > 0) throw new Error(`the hub has logged errors: ${hub.errors[0]}`);
  } catch (error) {
    process.exitCode = 1;
    print(`FAILED live: ${error instanceof Error ? error.message : String(error)}`);
  } finally {
    await hub.stop();
  }
}

print(`seed ${seed}`);
for (const { target, share } of targets) {
  if (chosen === undefined) await tryPure(target, Math.ceil(runs * share));
  else if (chosen.includes(target.name)) await tryPure(target, runs);
}
if (chosen === undefined) await tryLive(Math.ceil(runs * liveShare));
else if (chosen.includes('live')) await tryLive(runs);
