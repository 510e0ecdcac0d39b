import type { Config } from './config.ts';
import { variableOf } from './keys.ts';

/** A node, with its settings if it has told them. */
export interface NodeWithSettings {
  readonly name: string | null;
  /** Null for hubs of before it was noted. */
  readonly settings: SharedSettings | null;
}

/** What a configuration sets of them; what it does not set is absent. */
interface SharedSettings {
  readonly eventRetentionMonths?: number;
  readonly auditRetentionMonths?: number;
  readonly registration?: string;
  readonly publicUrl?: string;
}

const keys = ['eventRetentionMonths', 'auditRetentionMonths', 'registration', 'publicUrl'] as const;

/** What this configuration sets of them; the retention of the audit log has a default, since administrators cannot change it. */
export function sharedSettings(config: Config): SharedSettings {
  const set = keys.filter((key) => config.configuredBy[key] !== undefined);
  const { auditRetentionMonths } = config;
  return { ...Object.fromEntries(set.map((key) => [key, config[key]])), auditRetentionMonths };
}

/** What differs between nodes, a sentence for each setting. */
export function differingSettings(nodes: readonly NodeWithSettings[]): string[] {
  return keys.flatMap((key) => {
    const names = new Map<string, string[]>();
    for (const { name, settings } of nodes) {
      if (settings === null) continue;
      const value = settings[key] === undefined ? 'not set' : String(settings[key]);
      names.set(value, [...(names.get(value) ?? []), name ?? 'without a name']);
    }
    if (names.size < 2) return [];
    const values = [...names].map(([value, at]) => `${value} at ${at.join(', ')}`);
    return [`${variableOf(key)} is ${values.join(', and ')}: give all hubs the same.`];
  });
}
