import { defineSubCommandLine, jsonOption, mustBeCommand } from './sub-command-line.ts';

/** The arguments of `corral-hub doctor`. */
export interface DoctorArguments {
  readonly isJson: boolean;
}

/** The command line of `corral-hub doctor`. */
export const doctorCommandLine = defineSubCommandLine({
  usage: ['doctor [options]'],
  about:
    'Checks the settings of a hub and what it stands on: data folder, database, secret key, NATS, object store, mail server, certificate, addresses, clocks, versions and other hubs. Each line says what is right, or what is wrong and what to do. It changes nothing, apart from objects that the check of the object store writes and deletes. The hub may run or be stopped. Run it with the settings and as the user of the hub.',
  exitCodes: '0 all is right, 1 something is wrong, 2 something could not be checked.',
  options: jsonOption,
  read({ values: { json: isJson = false }, words }): DoctorArguments {
    mustBeCommand('doctor', words);
    return { isJson };
  },
});
