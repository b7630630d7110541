export { Passthru, type PassthruOptions } from './passthru.session.ts'
