import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { parseAllDocuments } from 'yaml';

interface Definition {
  readonly properties?: object;
  readonly format?: string;
  readonly 'x-kubernetes-group-version-kind'?: readonly { group: string; version: string; kind: string }[];
}

const { definitions } = JSON.parse(
  readFileSync(join(import.meta.dirname, 'files/kubernetes.schemas.json'), 'utf8'),
) as { readonly definitions: Readonly<Record<string, Definition>> };

const strict = Object.fromEntries(
  Object.entries(definitions).map(([name, definition]) => [name, strictly(definition)]),
);
const ajv = new Ajv({ allErrors: true, strict: false, validateFormats: false });
ajv.addSchema({ definitions: strict }, 'kubernetes');

/** What of a file for Kubernetes is against the schemas of its release, in which no unknown field is allowed. */
export function problemsOfKubernetesFile(file: string): string[] {
  return [...parseAllDocuments(readFileSync(file, 'utf8'), { version: '1.1' })].flatMap((document) => {
    if (document.errors.length > 0) return document.errors.map(({ message }) => message);
    const content = document.toJS() as { readonly kind: string; readonly apiVersion: string };
    const isValid = ajv.getSchema(`kubernetes#/definitions/${nameOf(content)}`);
    if (isValid === undefined) return [`There is no schema of ${content.apiVersion} ${content.kind}.`];
    if (isValid(content)) return [];
    return (isValid.errors ?? []).map(
      ({ instancePath, message = '', params }) =>
        `${content.kind}${instancePath} ${message}: ${JSON.stringify(params)}.`,
    );
  });
}

/** The name of the schema of a kind. */
function nameOf({
  kind,
  apiVersion,
}: {
  readonly kind: string;
  readonly apiVersion: string;
}): string | undefined {
  return Object.keys(definitions).find((name) =>
    definitions[name]?.['x-kubernetes-group-version-kind']?.some(
      (each) => each.kind === kind && [each.group, each.version].filter(Boolean).join('/') === apiVersion,
    ),
  );
}

function strictly(definition: Definition): object {
  if (definition.format === 'int-or-string') return { type: ['integer', 'string'] };
  return definition.properties === undefined ? definition : { additionalProperties: false, ...definition };
}
