import { z } from 'zod';
import { command } from '../define.ts';
import { webhookFormat } from '../enums.ts';
import { ids } from '../ids.ts';
import { pagedQuery } from '../paging.ts';
import { empty, json, listOf, nameText, text, textUpTo, timestamp, uint32 } from '../scalars.ts';
import { actor } from '../shapes.ts';

/** Which events are sent: the name of one, or the beginning of names and a star. */
const eventPattern = textUpTo(64);

/** None: it sends the messages of the alert rules that name it, and tests. */
const types = listOf(eventPattern, 50).refine(
  (patterns) => new Set(patterns).size === patterns.length,
  'must have each entry only once',
);

/** What became of a message: it waits, the receiver accepted it, or nothing more is tried. */
const deliveryStatus = z.enum(['Waiting', 'Accepted', 'Failed']);

/** The webhooks of a project, which tell other programs of its events as the specification Standard Webhooks says. */
export const webhooksActions = {
  projects_QueryWebhooks: pagedQuery({
    doc: 'Lists the webhooks of a project, ordered by name, without their secrets.',
    reads: ['webhooks'],
    input: z.object({ projectId: ids.project.schema }),
    output: z.object({
      webhooks: z.array(
        z.object({
          webhookId: ids.webhook.schema,
          name: text,
          url: text,
          types: z.array(text),
          format: webhookFormat,
          createdBy: actor,
          createdAt: timestamp,
          /** Why nothing is sent: an owner has stopped it, the receiver asked for that (410), or it failed for five days. */
          disabled: z.enum(['ByOwner', 'ByReceiver', 'Failing']).optional(),
          lastAcceptedAt: timestamp.optional(),
          /** Since when no message was accepted though some were sent. */
          failingSince: timestamp.optional(),
          lastError: text.optional(),
          /** Messages that wait, counted up to 1000; 1001 stands for more. */
          waiting: uint32,
          /** Until when messages are signed with the former secret, too. */
          formerSecretUntil: timestamp.optional(),
        }),
      ),
    }),
  }),
  projects_CreateWebhook: command({
    doc: 'Creates a webhook of a project, for its owners; only this answer contains the secret that signs its messages.',
    input: z.object({
      projectId: ids.project.schema,
      name: nameText,
      url: textUpTo(2_000),
      types,
      /** Standard where it is left out. */
      format: webhookFormat.optional(),
    }),
    output: z.object({
      webhookId: ids.webhook.schema,
      /** Of the format Standard; the others are not signed, and their URL is the secret. */
      secret: text.optional(),
    }),
  }),
  projects_ChangeWebhook: command({
    doc: 'Changes what is given of a webhook; one that was disabled and is enabled sends what still waits.',
    input: z.object({
      webhookId: ids.webhook.schema,
      name: nameText.optional(),
      url: textUpTo(2_000).optional(),
      types: types.optional(),
      format: webhookFormat.optional(),
      isDisabled: z.boolean().optional(),
    }),
    output: empty,
  }),
  projects_RotateWebhookSecret: command({
    doc: 'Makes another secret of a webhook; messages are signed with the former one, too, for a day.',
    input: z.object({ webhookId: ids.webhook.schema }),
    output: z.object({ secret: text, formerSecretUntil: timestamp }),
  }),
  projects_DeleteWebhook: command({
    doc: 'Deletes a webhook with the messages that wait, and the list of its deliveries.',
    input: z.object({ webhookId: ids.webhook.schema }),
    output: empty,
  }),
  projects_TestWebhook: command({
    doc: 'Sends a message of the type webhook.test by a webhook, in its format, as any other.',
    input: z.object({ webhookId: ids.webhook.schema }),
    output: z.object({ messageId: ids.webhookMessage.schema }),
  }),
  projects_QueryWebhookDeliveries: pagedQuery({
    doc: 'Lists the messages of a webhook of the last 30 days, newest first.',
    reads: ['webhooks'],
    input: z.object({ webhookId: ids.webhook.schema, status: deliveryStatus.optional() }),
    output: z.object({
      deliveries: z.array(
        z.object({
          messageId: ids.webhookMessage.schema,
          type: text,
          status: deliveryStatus,
          at: timestamp,
          data: json,
          attempts: uint32,
          lastAttemptAt: timestamp.optional(),
          /** The status of the last answer over HTTP. */
          httpStatus: uint32.optional(),
          durationMs: uint32.optional(),
          lastError: text.optional(),
          nextAttemptAt: timestamp.optional(),
        }),
      ),
    }),
  }),
  projects_ReplayWebhookDelivery: command({
    doc: 'Sends a message again, with the same id, as if it was new.',
    input: z.object({ webhookId: ids.webhook.schema, messageId: ids.webhookMessage.schema }),
    output: empty,
  }),
} as const;
