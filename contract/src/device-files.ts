/** The commands of a device by which its files are fetched and put; the hub runs them for nothing else. */
export const fileCommands = { Read: 'read-file', Write: 'write-file' } as const;

/** Files go in parts of so many bytes. */
export const filePartBytes = 1_048_576;

/** Whether a command is one of those for files. */
export const isFileCommand = (name: string): boolean => Object.values<string>(fileCommands).includes(name);
