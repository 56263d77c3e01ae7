// SPDX-License-Identifier: Apache-2.0
/** Form: forms from JSON Schemas and from prompts of MCP Flow, and the checks that belong to them. */
export { checkForm, type Errors } from './check';
export { focusWrong, SchemaForm } from './form';
export { checkPrompt, firstAnswer, isNeeded, PromptControl } from './prompt';
export { firstValue } from './schema';
export { isExact, readJson, readNumber, textOf, Typed } from './value';
