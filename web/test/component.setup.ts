import { notifications } from '@mantine/notifications'
import * as matchers from '@testing-library/jest-dom/matchers'
import { cleanup, configure } from '@testing-library/react'
import { afterEach, expect, vi } from 'vitest'
import { client } from '../src/app/client.ts'
import { CALL_MS, speakAs } from '../src/lib/call.ts'

expect.extend(matchers)

configure({
  // What is waited for comes late on a busy machine: this only ends what would never end.
  asyncUtilTimeout: 60_000,
  getElementError: (message) => new Error(message ?? undefined),
})

// happy-dom has no fonts to wait for, of which fields that grow with their text want to hear.
Object.assign(document, { fonts: new EventTarget() })

// Nothing has a size in happy-dom, so Mantine finds nothing to give the focus to, and would print the whole part with all that React keeps of it.
const warn = console.warn
console.warn = (...said: unknown[]) => {
  if (!String(said[0]).includes('use-focus-trap')) warn(...said)
}

// The files of a worker share a page (page.environment.ts): each test leaves it empty.
afterEach(() => {
  cleanup()
  notifications.clean()
  client.clear()
  speakAs('', CALL_MS)
  localStorage.clear()
  sessionStorage.clear()
  vi.unstubAllGlobals()
})
