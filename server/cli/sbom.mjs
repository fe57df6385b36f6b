// npm run sbom: the packages that users get, as CycloneDX on stdout. With -- --notices it prints
// their licences instead. A packed folder has both, of what is in it.
import { noticesOf, sbomOf, shippedPackages } from './setup/shipped.mjs'

const print = process.argv.includes('--notices') ? noticesOf : sbomOf
process.stdout.write(print(shippedPackages()))
