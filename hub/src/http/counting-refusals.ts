import type { IncomingMessage } from 'node:http';
import { isFaultOfCaller } from '../executor/failures.ts';
import type { HttpContext } from './http-context.ts';

/** Counts a call that fails by the fault of its caller against the user of the request. Anonymous requests are paced by their address instead. */
export async function countingRefusals<Answer>(
  { countRefusal }: Pick<HttpContext, 'countRefusal'>,
  request: IncomingMessage,
  userId: string | undefined,
  answer: Promise<Answer>,
): Promise<Answer> {
  try {
    return await answer;
  } catch (error) {
    if (isFaultOfCaller(error) && userId !== undefined) countRefusal(request, userId);
    throw error;
  }
}
