/** Starts the page. */
import { h, render } from 'preact'
import { App } from './app.js'

const root = document.getElementById('root')
if (root !== null) render(h(App, null), root)
