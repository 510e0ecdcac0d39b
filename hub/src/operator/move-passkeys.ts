import { systemCaller } from '../calls/handler.ts';
import { loadConfig } from '../config/config.ts';
import { type MovePasskeysArguments, movePasskeysCommandLine } from '../config/move-passkeys-command-line.ts';
import { passkeySite } from '../config/passkey-site.ts';
import { formerPasskeys, whoseFormer } from '../domains/passkeys/index.ts';
import { MovePasskeys } from '../domains/passkeys/internal/MovePasskeys.ts';
import { offlineExecutor } from './offline-executor.ts';
import { openExistingDatabase } from './open-existing-database.ts';
import type { HubCommand } from './run-command.ts';

/** `corral-hub move-passkeys`. */
export const movePasskeysCommand: HubCommand<MovePasskeysArguments> = {
  commandLine: movePasskeysCommandLine,

  async run({ isConfirmed, hubArguments }, output) {
    const config = loadConfig({ argv: hubArguments });
    const hostname = passkeySite(config.publicUrl, config.hostNames)?.rpId;
    if (hostname === undefined)
      throw new Error('CORRAL_PUBLIC_URL: browsers know passkeys only by a host name with https.');
    const database = await openExistingDatabase(config);
    try {
      const former = await formerPasskeys(database.db, hostname);
      if (former !== undefined && !isConfirmed) {
        output.write(
          `${whoseFormer(former)}. They lose them if the passkeys of this hub belong to ${hostname}: they then sign in by another factor or a recovery code, and add new ones. Run this again with --confirm if that is wanted.\n`,
        );
        return 1;
      }
      if (former !== undefined)
        await (await offlineExecutor(config, database)).run(systemCaller, MovePasskeys, { hostname });
      output.write(`The passkeys of this hub belong to ${hostname}.\n`);
      return 0;
    } finally {
      await database.close();
    }
  },
};
