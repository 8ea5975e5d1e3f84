import { conflict, forbidden, invalidField, notFound, rejection } from '#errors';

export const deviceNotFound = () => notFound('device');

export const deviceIsArchived = () => conflict('DEVICE_ARCHIVED', 'The device is archived. Restore it first.');

export const remoteControlIsOff = (where: 'device' | 'organization') =>
  forbidden(
    where === 'device'
      ? 'Remote control of this device is switched off. Switch it on with updateDevice.'
      : 'Remote control is switched off for the whole organization. Switch it on with updateOrganization.',
    'REMOTE_CONTROL_DISABLED',
  );

export const operationNotOffered = rejection(
  'DEVICE_OPERATION_NOT_OFFERED',
  'The device does not offer this. Its capabilities name what it offers.',
);

export const temperatureOutOfRange = rejection(
  'DEVICE_TEMPERATURE_OUT_OF_RANGE',
  'The device cannot be set to this temperature. Choose one within minTemperature and maxTemperature of its limits.',
);

export const modeNotOffered = rejection(
  'DEVICE_MODE_NOT_OFFERED',
  'The device does not have this mode. Choose one of the modes in its limits.',
);

export const unitWithoutProperty = rejection(
  'DEVICE_UNIT_WITHOUT_PROPERTY',
  'A unit is part of a property. Name that property in propertyId.',
);

export const propertyMustBeNamed = () =>
  invalidField(['propertyId'], 'This credential is limited to some properties: name one of them.');
