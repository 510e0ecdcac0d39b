import { type CallInput, type Id, noPublicEndpoint, objectStoreRules, type Output } from '@corral/contract';
import { boolean, check, forward, object, partialCheck, pipe, string, transform, trim } from 'valibot';
import { useRun } from '../../data/action-mutation.ts';
import { FieldsDialog } from '../../ui/form/FieldsDialog.tsx';
import { showToast } from '../../ui/overlay/toast.ts';
import { repositorySettingsCopy } from './copy.ts';
import { setStore } from './store-queries.ts';

const words = repositorySettingsCopy.store;
type Config = NonNullable<Output<'repositories_GetObjectStore'>['s3Config']>;

type Field = keyof typeof objectStoreRules;

/** A text that follows the rule of the contract; with `isOptional` also nothing, which is not sent. */
const field = (name: Field, isOptional = false) =>
  pipe(
    string(),
    trim(),
    check(
      (text) => (isOptional && text === '') || objectStoreRules[name](text) === undefined,
      ({ input }) => objectStoreRules[name](input) ?? '',
    ),
    transform((text) => (text === '' ? undefined : text)),
  );

/** The validation of the form; the secret may be left empty if one is stored. */
const schemaOf = (hasSecret: boolean) =>
  pipe(
    object({
      endpoint: field('endpoint'),
      publicEndpoint: field('publicEndpoint', true),
      isForHubOnly: boolean(),
      bucket: field('bucket'),
      region: field('region', true),
      prefix: field('prefix', true),
      accessKeyId: field('accessKeyId'),
      secretAccessKey: field('secretAccessKey', hasSecret),
      forcePathStyle: boolean(),
    }),
    forward(
      partialCheck(
        [['isForHubOnly'], ['publicEndpoint']],
        ({ isForHubOnly, publicEndpoint }) => !isForHubOnly || publicEndpoint === undefined,
        () => words.noPublicEndpoint,
      ),
      ['publicEndpoint'],
    ),
    transform(({ isForHubOnly, publicEndpoint, ...fields }) => ({
      ...fields,
      // Empty removes a stored one; without it the hub would keep that.
      publicEndpoint: isForHubOnly ? noPublicEndpoint : (publicEndpoint ?? ''),
    })),
  );

/** Sets the S3-compatible store of a repository. The hub checks it; the dialog says why it cannot be used. */
export function StoreDialog({
  repositoryId,
  config,
  open,
  onOpenChange,
}: {
  repositoryId: Id<'repository'>;
  /** The present store of the repository. */
  config: Config | undefined;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}) {
  const run = useRun();
  const isForHubOnly = config?.publicEndpoint === noPublicEndpoint;
  const text = { autoCapitalize: 'none', spellCheck: false } as const;
  return (
    <FieldsDialog
      {...{ open, onOpenChange }}
      draft={`store of ${repositoryId}`}
      title={config === undefined ? words.use : words.change}
      description={words.text}
      submitLabel={config === undefined ? words.use : words.change}
      fields={{
        endpoint: {
          ...text,
          label: words.endpoint,
          hint: words.endpointHint,
          required: true,
          initial: config?.endpoint ?? '',
        },
        publicEndpoint: {
          ...text,
          label: words.publicEndpoint,
          hint: words.publicEndpointHint,
          required: false,
          initial: isForHubOnly ? '' : (config?.publicEndpoint ?? ''),
        },
        isForHubOnly: {
          kind: 'checkbox',
          label: words.isForHubOnly,
          hint: words.isForHubOnlyHint,
          initial: isForHubOnly,
        },
        bucket: { ...text, label: words.bucket, required: true, initial: config?.bucket ?? '' },
        region: { ...text, label: words.region, required: false, initial: config?.region ?? '' },
        prefix: {
          ...text,
          label: words.prefix,
          hint: words.prefixHint,
          required: false,
          initial: config?.prefix ?? '',
        },
        accessKeyId: {
          ...text,
          label: words.accessKeyId,
          required: true,
          initial: config?.accessKeyId ?? '',
        },
        secretAccessKey: {
          ...text,
          type: 'password',
          autoComplete: 'new-password',
          label: words.secret,
          hint: config === undefined ? words.secretHint : words.secretKept,
          required: config === undefined,
        },
        forcePathStyle: {
          kind: 'checkbox',
          label: words.forcePathStyle,
          initial: config?.forcePathStyle ?? true,
        },
      }}
      schema={schemaOf(config !== undefined)}
      onSubmit={async (input) => {
        // Fields that are undefined are absent in JSON; the required ones have a value by the rules.
        const s3Config = input as CallInput<'repositories_SetS3Config'>['s3Config'];
        await run(setStore, { repositoryId, s3Config });
        showToast(words.saved, { tone: 'ok' });
      }}
    />
  );
}
