import type { Generated } from 'kysely';
import type { TimestampColumn } from './tables.ts';

/** A path in properties or metadata that is in the property index of a project; the property is empty for the metadata. */
interface FactKeys {
  key_id: Generated<number>;
  project_id: string;
  property: string;
  /** A JSON path. */
  path: string;
  /** `Ready` once all devices have been read, `Unfit` where a device has too much there, `Dropped` while its values are being deleted. */
  state: Generated<'New' | 'Building' | 'Ready' | 'Unfit' | 'Dropped'>;
  used_at: TimestampColumn;
}

/**
 * A value of a device at a path, as facts_of finds it; all null for one that is no scalar. Written by the triggers note_property_facts and note_metadata_facts and by the job that
 * builds the index, all through write_facts.
 */
interface DeviceFacts {
  key_id: number;
  device_id: string;
  value_text: string | null;
  value_num: string | null;
  value_flag: boolean | null;
}

/** The tables of the property index, which filters of devices look up instead of reading documents. */
export interface PropertyIndexTables {
  fact_keys: FactKeys;
  device_facts: DeviceFacts;
}
