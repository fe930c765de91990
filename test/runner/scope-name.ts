/** Name of the test that holds those of a file in a shared process: what the file has opened is looked at after its end. */
export const SCOPE_NAME = 'in its scope'
