// Rules for the viewer's TypeScript. Types are checked by tsc; layout is left to the authors.
import js from '@eslint/js';
import hooks from 'eslint-plugin-react-hooks';
import types from 'typescript-eslint';

export default types.config(
  {ignores: ['node_modules/**', '**/*.mjs']},
  js.configs.recommended,
  ...types.configs.recommended,
  {
    files: ['src/**/*.{ts,tsx}', 'test/**/*.ts'],
    plugins: {'react-hooks': hooks},
    rules: {
      'react-hooks/rules-of-hooks': 'error',
      eqeqeq: ['error', 'always', {null: 'ignore'}],
      'no-var': 'error',
      'prefer-const': 'error',
      // It changes what events mean for the whole page.
      'no-restricted-imports': ['error', 'preact/compat'],
    },
  },
);
