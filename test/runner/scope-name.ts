/** Name of the test that contains a file's tests in a shared process; after it ends, the process checks what the file left open. */
export const SCOPE_NAME = 'in its scope'
