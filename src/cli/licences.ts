import { prebuilt } from '../assets/prebuilt.ts';

const FROM_SOURCE =
  'Pagemeter is under the MIT licence (LICENSE). It runs from source here: each package in node_modules holds its own licence.';

export function printLicences(): void {
  console.log(prebuilt?.notices ?? FROM_SOURCE);
}
