import { type ClientRequest, request } from 'node:http';
import { plainText } from '../output/plain-text.ts';
import type { AgentAddress } from './addresses.ts';

/** What an agent answered: a status of HTTP, and the beginning of a text. */
interface AgentAnswer {
  readonly status: number;
  readonly text: string;
}

const maxAnswerBytes = 4_096;
/** Where nobody is, most of a network is asked in vain. */
const connectMs = 1_500;
/** Whoever is there may be slow, or this machine is. */
const askMs = 5_000;
/** The agent waits 15 s for the hub. */
const pairMs = 20_000;

/** Whether an agent at the address says that it is ready to be paired. */
export async function isReady(address: AgentAddress): Promise<boolean> {
  const answer = await ask(address, { method: 'GET', path: '/', withinMs: askMs }).catch(() => undefined);
  return answer?.status === 200 && saysReady(answer.text);
}

/** The word alone, or as a value of JSON: other pages may have it, too. */
function saysReady(text: string): boolean {
  const isWord = (said: unknown): boolean => typeof said === 'string' && /^ready[.!]?$/i.test(said.trim());
  if (isWord(text)) return true;
  try {
    const said = JSON.parse(text) as unknown;
    return isWord(said) || Object.values(said as object).some(isWord);
  } catch {
    return false;
  }
}

/** Gives an agent its pairing key; resolves with why it failed, in words of the agent that are safe to show, or undefined. */
export async function offerKey(address: AgentAddress, value: string): Promise<string | undefined> {
  try {
    const answer = await ask(address, { method: 'POST', path: '/pair', body: value, withinMs: pairMs });
    return answer.status >= 200 && answer.status < 300 ? undefined : refusalOf(answer);
  } catch (error) {
    return `It does not answer: ${plainText((error as Error).message)}.`;
  }
}

const longestShown = 200;

function refusalOf({ status, text }: AgentAnswer): string {
  const said = plainText(messageIn(text)).trim().slice(0, longestShown);
  return said === '' ? `It answered with the status ${status}.` : said;
}

function messageIn(text: string): string {
  try {
    const { message } = JSON.parse(text) as { message?: unknown };
    return typeof message === 'string' ? message : text;
  } catch {
    return text;
  }
}

interface Question {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: string;
  /** From when on somebody is there. */
  readonly withinMs: number;
}

/** Whoever is at the address is a stranger: it is not followed elsewhere, and what it says is read up to a limit. */
function ask({ host, port }: AgentAddress, question: Question): Promise<AgentAnswer> {
  const { method, path, body, withinMs } = question;
  return new Promise((resolve, reject) => {
    const sent = request({ host, port, method, path, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      let sizeBytes = 0;
      const finish = () => {
        const text = Buffer.concat(chunks).subarray(0, maxAnswerBytes).toString('utf8');
        resolve({ status: response.statusCode ?? 0, text });
        sent.destroy();
      };
      response.on('data', (chunk: Buffer) => {
        chunks.push(chunk);
        sizeBytes += chunk.length;
        if (sizeBytes >= maxAnswerBytes) finish();
      });
      response.on('end', finish);
      response.on('error', reject);
    });
    limit(sent, withinMs);
    sent.on('error', reject);
    sent.setHeader('content-type', 'text/plain');
    sent.end(body);
  });
}

/** Ends a question to which nobody connects in time, and one that is not answered in time once somebody has. */
function limit(sent: ClientRequest, withinMs: number): void {
  const endAfter = (ms: number): NodeJS.Timeout => {
    const end = () => timer === own && sent.destroy(new Error(`within ${ms / 1_000} s`));
    // What came while this machine was busy is read first.
    const own = setTimeout(() => setImmediate(end), ms);
    return own;
  };
  let timer = endAfter(connectMs);
  sent.once('socket', (socket) =>
    socket.once('connect', () => {
      clearTimeout(timer);
      timer = endAfter(withinMs);
    }),
  );
  sent.once('close', () => clearTimeout(timer));
}
