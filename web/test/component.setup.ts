import * as matchers from '@testing-library/jest-dom/matchers'
import { configure } from '@testing-library/react'
import { expect } from 'vitest'

expect.extend(matchers)

configure({
  // What is waited for comes late on a busy machine: this only ends what would never end.
  asyncUtilTimeout: 60_000,
  getElementError: (message) => new Error(message ?? undefined),
})

// happy-dom has no fonts to wait for, of which fields that grow with their text want to hear.
Object.assign(document, { fonts: new EventTarget() })
