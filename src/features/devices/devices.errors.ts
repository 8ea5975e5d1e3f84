import { conflict, forbidden, invalidField, recordNotFound, rejection } from '#errors';

export const deviceNotFound = recordNotFound('device', 'listDevices');

export const deviceIsArchived = () => conflict('DEVICE_ARCHIVED', 'The device is archived. Restore it first.');

export const remoteControlIsOff = (where: 'device' | 'organization') =>
  forbidden(
    where === 'device'
      ? 'Remote control of this device is switched off. Turn it on with updateDevice.'
      : 'Remote control is switched off for the whole organization. Turn it on with updateOrganization.',
    'REMOTE_CONTROL_DISABLED',
  );

export const operationNotOffered = rejection(
  'DEVICE_OPERATION_NOT_OFFERED',
  'The device does not support this operation. Choose one of its capabilities.',
);

export const temperatureOutOfRange = rejection(
  'DEVICE_TEMPERATURE_OUT_OF_RANGE',
  'The device does not support this temperature. Choose one between minTemperature and maxTemperature of its limits.',
);

export const modeNotOffered = rejection(
  'DEVICE_MODE_NOT_OFFERED',
  'The device does not support this mode. Choose one of the modes in its limits.',
);

export const unitWithoutProperty = rejection(
  'DEVICE_UNIT_WITHOUT_PROPERTY',
  'A unit needs its property. Pass that property as propertyId.',
);

export const propertyMustBeNamed = () =>
  invalidField(['propertyId'], 'This credential is limited to some properties. Pass one of them as propertyId.');
