// SPDX-License-Identifier: Apache-2.0
/** Main: the styles, the theme, and the application in its place. */
import './styles/tokens.css';
import './styles/base.css';
import './styles/shell.css';
import { render } from 'preact';
import { App } from './app';
import { applyTheme } from './stores/theme';

applyTheme();
render(<App />, document.getElementById('app')!);
