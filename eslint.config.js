// Type-aware rules for sources and tests alike. A rule is off only where it argues with the house style, and says why.
import regexp from 'eslint-plugin-regexp'
import tseslint from 'typescript-eslint'

export default tseslint.config(
  { ignores: ['dist/', 'node_modules/', '.tap/', 'models/', '.engram/', 'docs/.vitepress/dist/', 'docs/.vitepress/cache/'] },
  {
    files: ['**/*.ts'],
    extends: [tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked],
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      '@typescript-eslint/strict-boolean-expressions': ['error', { allowNullableBoolean: true, allowNullableString: true }],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', ignoreRestSiblings: true }],
      // Refusals travel as they were thrown.
      '@typescript-eslint/prefer-promise-reject-errors': ['error', { allowThrowingUnknown: true }],
      eqeqeq: ['error', 'always', { null: 'ignore' }],
      'no-console': 'error',
      'no-restricted-syntax': [
        'error',
        { selector: 'ExportDefaultDeclaration', message: 'Exports have names.' },
        { selector: 'ExportAllDeclaration', message: 'No barrels: import from the file that holds it.' },
        { selector: 'TSEnumDeclaration', message: 'A union of literals instead.' }
      ],
      // With noUncheckedIndexedAccess an index that is known to be in range is asserted with `as`, in hot loops above all.
      '@typescript-eslint/non-nullable-type-assertion-style': 'off',
      // Ports are asynchronous by contract, also where one implementation has nothing to wait for.
      '@typescript-eslint/require-await': 'off',
      // A machine declares its actions with nothing in them; the actor provides the work.
      '@typescript-eslint/no-empty-function': 'off',
      // It does not know type arguments of calls, as in fromPromise<void, Input>().
      '@typescript-eslint/no-invalid-void-type': 'off',
      // Most objects come from functions here and have no `this` to lose; those that each session has are passed on whole.
      '@typescript-eslint/unbound-method': 'off',
      // Characters are counted as code points on purpose.
      '@typescript-eslint/no-misused-spread': ['error', { allow: ['string'] }],
      // Type literals for states and records of tests are as good as interfaces.
      '@typescript-eslint/consistent-type-definitions': 'off',
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true, ignoreVoidReturningFunctions: true }]
    }
  },
  {
    files: ['src/**/*.ts', 'actors/**/*.ts', 'machines/**/*.ts'],
    plugins: { regexp },
    rules: {
      // What a client sends is read in linear time.
      'regexp/no-super-linear-backtracking': 'error',
      'regexp/no-super-linear-move': 'error'
    }
  },
  {
    files: ['test/**/*.ts', 'bench/**/*.ts', 'examples/**/*.ts', 'src/main.ts', 'src/cli/**/*.ts', 'src/tools/**/*.ts'],
    rules: {
      // Command lines print.
      'no-console': 'off'
    }
  },
  {
    files: ['test/**/*.ts'],
    rules: {
      // tap waits for its subtests itself.
      '@typescript-eslint/no-floating-promises': [
        'error',
        { allowForKnownSafePromises: [{ from: 'package', name: 'PromiseWithSubtest', package: '@tapjs/core' }] }
      ],
      '@typescript-eslint/no-non-null-assertion': 'off'
    }
  }
)
