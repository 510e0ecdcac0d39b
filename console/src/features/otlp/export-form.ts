import { check, objectWithRest, pipe, string, transform, trim } from 'valibot';
import type { TextSpec } from '../../ui/form/field-spec.ts';
import { otlpCopy } from './copy.ts';
import type { OtlpChange, OtlpConfig } from './otlp.ts';

const words = otlpCopy.fields;
const mask = '***';
const streams = ['events', 'audit', 'operations', 'connections'] as const;
const severities = ['Trace', 'Debug', 'Info', 'Warning', 'Error', 'Critical'] as const;

const isUrl = (typed: string): boolean =>
  URL.canParse(typed) && ['https:', 'http:'].includes(new URL(typed).protocol);

/** The names of the headers that the form has: those that are set, and one more. */
const headersOf = ({ headers }: OtlpConfig): readonly string[] => [...Object.keys(headers), ''];

/** The validation of the form, whose result is the configuration. */
export const exportSchema = (present: OtlpConfig) =>
  pipe(
    objectWithRest(
      {
        endpoint: pipe(
          string(),
          trim(),
          check(isUrl, () => words.endpointWrong),
        ),
        streams: pipe(
          string(),
          check(
            (typed) => typed.trim() !== '',
            () => words.streamsMissing,
          ),
        ),
        minSeverity: string(),
        filter: pipe(string(), trim()),
      },
      string(),
    ),
    transform((typed) => changeOf(typed, present)),
  );

function changeOf(
  {
    endpoint,
    streams: chosen,
    minSeverity,
    filter,
    ...typed
  }: Record<'endpoint' | 'streams' | 'minSeverity' | 'filter', string> & Record<string, string>,
  present: OtlpConfig,
): OtlpChange {
  const headers = headersOf(present)
    .map((_, index) => [typed[`header${index}`]?.trim() ?? '', typed[`value${index}`] || mask])
    .filter(([name]) => name !== '');
  return {
    enabled: true,
    endpoint,
    headers: Object.fromEntries(headers),
    streams: streams.filter((stream) => chosen.split(' ').includes(stream)),
    ...(minSeverity === '' || minSeverity === 'Trace'
      ? {}
      : { minSeverity: severities.find((one) => one === minSeverity) }),
    ...(filter === '' ? {} : { filter }),
  };
}

const plain = { spellCheck: false, autoCapitalize: 'none' } as const;

/** A name and a value for each header. The hub says which one has no value. */
function headerFields(present: OtlpConfig): [string, TextSpec][] {
  return headersOf(present).flatMap((name, index, { length }): [string, TextSpec][] => {
    const number = length === 1 ? '' : ` ${index + 1}`;
    return [
      [
        `header${index}`,
        {
          ...plain,
          label: `${words.header}${number}`,
          hint: words.headerHint,
          required: false,
          initial: name,
        },
      ],
      [
        `value${index}`,
        {
          ...plain,
          label: `${words.value}${number}`,
          hint: name === '' ? words.valueHint : words.valueKept,
          required: false,
          type: 'password',
        },
      ],
    ];
  });
}

/** The fields of the form, with what they begin with. */
export function exportFields(present: OtlpConfig) {
  return {
    endpoint: {
      ...plain,
      label: words.endpoint,
      hint: words.endpointHint,
      required: true,
      type: 'url',
      placeholder: 'https://collector.example:4318/v1/logs',
      initial: present.endpoint ?? '',
    },
    ...Object.fromEntries(headerFields(present)),
    streams: {
      kind: 'multi-select',
      label: words.streams,
      required: true,
      options: streams.map((value) => ({ value, label: otlpCopy.streamNames[value] })),
      placeholder: words.streamsPlaceholder,
      initial: (present.streams ?? ['events']).join(' '),
    },
    minSeverity: {
      kind: 'select',
      label: words.minSeverity,
      options: severities.map((value) => ({ value, label: value })),
      initial: present.minSeverity ?? 'Trace',
    },
    filter: {
      ...plain,
      label: words.filter,
      hint: words.filterHint,
      required: false,
      initial: present.filter ?? '',
    },
  } as const;
}
