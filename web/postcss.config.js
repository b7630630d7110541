import { mixins } from './mixins.ts'

export default {
  plugins: {
    'postcss-preset-mantine': { mixins },
  },
}
