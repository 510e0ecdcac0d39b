import type { Json } from '@corral/contract';
import type { Step } from '../sql/operations.ts';

/** What stands for a secret. */
const mask = '***';

/** The steps with the fields of inputs masked that the schemas of the commands of a device, the value of its property of commands, say are only written. */
export function maskedSteps(steps: readonly Step[], manifest: Json | undefined): Step[] {
  const schemas = schemasIn(manifest);
  return steps.map((step) =>
    step.kind === 'DeviceCommand' ? { ...step, input: masked(step.input, schemas.get(step.command)) } : step,
  );
}

function schemasIn(manifest: Json | undefined): ReadonlyMap<string, Json> {
  const commands = isObject(manifest) ? manifest['commands'] : undefined;
  const schemas = new Map<string, Json>();
  for (const command of Array.isArray(commands) ? commands : [])
    if (isObject(command) && typeof command['name'] === 'string' && command['input'] !== undefined)
      schemas.set(command['name'], command['input']);
  return schemas;
}

function masked(value: Json, schema: Json | undefined): Json {
  if (!isObject(schema)) return value;
  if (schema['writeOnly'] === true) return mask;
  if (Array.isArray(value)) return value.map((one) => masked(one, schema['items']));
  const properties = schema['properties'];
  if (!isObject(value) || !isObject(properties)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, masked(one, properties[key])]));
}

function isObject(value: Json | undefined): value is { readonly [key: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
