import type pg from 'pg';

/** SQL for a raw id that depends on a number. */
export function rawId(what: string, number: string): string {
  return `translate(rpad(right(md5('${what}' || ${number}), 22), 22, '1'), '0', 'g')`;
}

const dated = (number: string): string =>
  `'20261120-1200-' || translate(right(md5('row' || ${number}), 8), '0', 'g')`;

/** Writes so many events and so many commands directly, numbered after those of earlier calls: a million commands would take an hour. */
export async function fillLog(client: pg.Client, rows: number, after = 0): Promise<void> {
  const numbers = `generate_series(${after + 1}, ${after + rows}) as n`;
  // Every tenth row is by the hub, the others by one of a thousand users.
  const actor = `case when n % 10 = 0 then '{"actor":"System","kind":"System"}'::jsonb
    else jsonb_build_object('actor', 'User', 'kind', 'User', 'userId', 'u_' || ${rawId('user', '(n % 1000 + 1)')}) end`;
  const at = `now() - n * interval '10 seconds'`;
  await client.query(
    `insert into audit_events (event_id, actor, event, data, action_id, created_at)
     select ${dated('n')} || n, ${actor}, case when n % 100000 = 0 then 'users_Deleted' when n % 2 = 0 then 'devices_Created' else 'devices_NameChanged' end,
       jsonb_build_object('deviceId', 'd_' || n), ${dated('n')} || n, ${at}
     from ${numbers}`,
  );
  await client.query(
    `insert into audit_actions (action_id, actor, action, data, status, created_at)
     select ${dated('n')} || n, ${actor}, 'devices_SetDeviceName', jsonb_build_object('deviceId', 'd_' || n),
       case when n % 100000 = 0 then 'Panicked' when n % 50 = 0 then 'Failed' else 'Succeeded' end, ${at}
     from ${numbers}`,
  );
}
