import { events as known, type WebhookFormat } from '@corral/contract';
import { check, object, picklist, pipe, string, transform, trim } from 'valibot';
import type { Webhook } from './webhooks.ts';
import { nameSchema } from '../../parts/name-schema.ts';
import { terms } from '../../copy/terms.ts';
import { webhooksCopy } from './copy.ts';

const isUrl = (typed: string): boolean =>
  URL.canParse(typed) && ['https:', 'http:'].includes(new URL(typed).protocol);

const formats = [
  'Standard',
  'Slack',
  'Teams',
  'Ntfy',
  'Alertmanager',
] as const satisfies readonly WebhookFormat[];

/** The validation of the form of a webhook; the events are separated by spaces. */
export const webhookSchema = object({
  ...nameSchema.entries,
  url: pipe(
    string(),
    trim(),
    check(isUrl, () => webhooksCopy.fields.urlWrong),
  ),
  format: picklist(formats),
  types: pipe(
    string(),
    transform((typed) => typed.split(' ').filter((type) => type !== '')),
  ),
});

const groups = ['devices', 'fleet', 'projects'] as const;

/** What can be chosen: all events of a group, or one. */
export function eventOptions(): { value: string; label: string }[] {
  const single = Object.entries(known)
    .filter(
      ([, { persistence, entities }]) => persistence === 'log' && entities.some((kind) => kind === 'project'),
    )
    .map(([name]) => ({ value: name, label: name }));
  return [...groups.map((group) => ({ value: `${group}_*`, label: webhooksCopy.groups[group] })), ...single];
}

/** The fields of the form, with what they begin with. */
export function webhookFields({
  name = '',
  url = '',
  types = [],
  format = 'Standard',
}: Partial<Webhook> = {}) {
  const words = webhooksCopy.fields;
  return {
    name: { label: terms.name, required: true, initial: name },
    url: {
      label: words.url,
      hint: words.urlHint,
      required: true,
      type: 'url',
      spellCheck: false,
      autoCapitalize: 'none',
      placeholder: 'https://',
      initial: url,
    },
    format: {
      kind: 'select',
      label: words.format,
      hint: words.formatHint,
      options: formats.map((value) => ({ value, label: webhooksCopy.formats[value] })),
      initial: format,
    },
    types: {
      kind: 'multi-select',
      label: words.types,
      hint: words.typesHint,
      options: eventOptions(),
      placeholder: words.typesPlaceholder,
      initial: types.join(' '),
    },
  } as const;
}
