/** The rules of the house, as tests over all modules: who may use whom, and how sources look. */
package io.duramen.acceptance.rules;
