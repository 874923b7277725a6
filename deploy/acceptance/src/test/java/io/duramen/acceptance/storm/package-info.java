/** Producers and consumers at work while their server is killed again and again. */
package io.duramen.acceptance.storm;
