import type { Id, Output } from '@corral/contract';
import { useQueries, useQuery } from '@tanstack/react-query';
import type { AlertPlace } from '../../../parts/alerts/alerts.ts';
import { useIsMailConfigured } from '../../../parts/use-is-mail-configured.ts';
import { Notice } from '../../../ui/layout/Notice.tsx';
import { ruleCopy } from './copy.ts';
import { newestMessagesQuery, webhooksOfProjectQuery } from './rule-webhooks.ts';

const words = ruleCopy.test;
/** How often it is asked whether a receiver has answered, beside what the live view tells. */
const askMs = 2000;

/** The answer to a test. */
export type TestAnswer = Output<'alerts_TestRule'>;
type Message = Output<'projects_QueryWebhookDeliveries'>['deliveries'][number];

/** Whom a test has reached: how many people by e-mail, and what each receiver answered. */
export function TestResult({
  place: { projectId },
  tested: { mails, messages },
}: {
  place: AlertPlace;
  tested: TestAnswer;
}) {
  const isMailConfigured = useIsMailConfigured();
  const { data } = useQuery({
    ...webhooksOfProjectQuery(projectId ?? 'p_'),
    enabled: projectId !== undefined && messages.length > 0,
  });
  const found = useQueries({
    queries: messages.map(({ webhookId, messageId }) => ({
      ...newestMessagesQuery(webhookId),
      refetchInterval: ({ state }: { state: { data?: { deliveries: readonly Message[] } | undefined } }) =>
        isAnswered(messageIn(state.data, messageId)) ? false : askMs,
    })),
  });
  const mailText = mails === 0 ? undefined : isMailConfigured ? words.mails(mails) : words.mailsWait(mails);
  const receivers = messages.map(({ webhookId, messageId }, index) =>
    answerText(
      data?.webhooks.find((webhook) => webhook.webhookId === webhookId)?.name ?? '',
      messageIn(found[index]?.data, messageId),
    ),
  );
  const lines = [mailText, ...receivers].filter((line) => line !== undefined);
  const isRefused = messages.some(({ messageId }, index) => {
    const message = messageIn(found[index]?.data, messageId);
    return isAnswered(message) && message?.status !== 'Accepted';
  });
  return (
    <div className="mb-5" role="status">
      <Notice tone={isRefused || lines.length === 0 ? 'warn' : 'info'} title={words.title}>
        {lines.length === 0 ? words.nobody : `${sentence(lines)}.`}
      </Notice>
    </div>
  );
}

const messageIn = (
  data: { deliveries: readonly Message[] } | undefined,
  messageId: Id<'webhookMessage'>,
): Message | undefined => data?.deliveries.find((one) => one.messageId === messageId);

const isAnswered = (message: Message | undefined): boolean =>
  message !== undefined && (message.status !== 'Waiting' || message.attempts > 0);

function answerText(name: string, message: Message | undefined): string {
  if (message === undefined || !isAnswered(message)) return words.waiting(name);
  if (message.status === 'Accepted') return words.accepted(name, message.httpStatus ?? 200);
  return words.refused(name, message.lastError?.replace(/\.$/u, '') ?? String(message.httpStatus ?? ''));
}

function sentence(parts: readonly string[]): string {
  const text = parts.join(', ');
  return `${text[0]?.toUpperCase() ?? ''}${text.slice(1)}`;
}
